// Puts a file into the program, ended by a null byte, under a name of C: `extern "C" const char name[];`. CMake has to
// know that the object depends on the file (OBJECT_DEPENDS).
#pragma once

#define HEDDLE_EMBED_TEXT(name, file)                                                                                  \
    __asm__(".section .rodata\n.globl " #name "\n.hidden " #name "\n.type " #name ", @object\n" #name                  \
            ":\n.incbin \"" file "\"\n.byte 0\n.size " #name ", . - " #name "\n.previous\n");
