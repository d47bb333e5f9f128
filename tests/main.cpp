// The one translation unit that defines the test runner's main.
#define CATCH_CONFIG_MAIN
#include "tests/catch.hpp"
