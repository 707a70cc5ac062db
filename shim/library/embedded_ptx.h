// Puts a text of PTX into the library, ended by a null byte, under a name of C.
#pragma once

#define HEDDLE_EMBED_PTX(name, file)                                                                                   \
    __asm__(".section .rodata\n.globl " #name "\n.hidden " #name "\n.type " #name ", @object\n" #name                  \
            ":\n.incbin \"" HEDDLE_PTX "/" file "\"\n.byte 0\n.size " #name ", . - " #name "\n.previous\n");
