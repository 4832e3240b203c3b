// What a desk gives to specs: the functions that script/lua/spec_desk.lua is built on. `desk` must outlive them.
#pragma once

#include "engine/script/spec_state.h"
#include "engine/testing/test_server.h"

namespace callisto::testing {

script::Natives natives_of(TestServer& desk);

}  // namespace callisto::testing
