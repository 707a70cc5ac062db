#pragma once

extern __managed__ int shared_by_files;
extern __managed__ int far_values[];

void far_away();
