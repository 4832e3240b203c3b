// A program with the flaws that ./dev threads looks for: one that finds none of them would pass everything.
#include <string_view>
#include <thread>

namespace {

int counter = 0;
int* volatile lost = nullptr;

void race() {
  std::thread other([] { ++counter; });
  ++counter;
  other.join();
}

void leak() {
  lost = new int[10];
  lost = nullptr;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view flaw = count > 1 ? arguments[1] : "";
  if (flaw == "race") race();
  if (flaw == "leak") leak();
}
