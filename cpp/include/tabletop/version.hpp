// The version of the package, for code that sees only the headers. pyproject.toml states it; CMake
// refuses to configure while the two differ.
#pragma once

#define TABLETOP_VERSION "0.1.0"
#define TABLETOP_VERSION_MAJOR 0
#define TABLETOP_VERSION_MINOR 1
#define TABLETOP_VERSION_PATCH 0
