// Everything a CUDA C++ kernel may name when it is compiled for the CPU. Included before every compiled copy.
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
#include "half.h"
#include "bfloat16.h"
#include "atomics.h"
#include "integer_math.h"
#include "device_math.h"
#include "entry.h"
