// The functions of a desk for specs, on which script/lua/spec_desk.lua is built. `desk` must outlive them.
#pragma once

#include "engine/script/spec_state.h"
#include "engine/testing/test_server.h"

namespace callisto::testing {

script::Natives natives_of(TestServer& desk);

}  // namespace callisto::testing
