#pragma once
namespace shop {
struct Item {
  int cents;
  int count;
};

template <typename T>
__attribute__((always_inline)) inline T read_from(const volatile T *at) {
  return *at;
}

__attribute__((always_inline)) inline int price_of(const Item &item) {
  int cents = read_from(&item.cents);
  return cents * item.count;
}
} // namespace shop
