// What every CUDA C++ kernel may name when it is compiled for the CPU, included before every compiled copy. Headers for one
// topic (half.h, wmma.h ...) are added by plugins/emulator/topics.py where a source names it.
#pragma once
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <limits>
#include <type_traits>
#include <utility>

#include "abi.h"
#include "keywords.h"
#include "semantics.h"
#include "vector_make.h"
#include "warp.h"
#include "atomics.h"
#include "integer_math.h"
#include "device_math.h"
#include "fast_math.h"
#include "entry.h"
