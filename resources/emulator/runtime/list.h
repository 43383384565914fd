// A growing array on malloc, for plain values: the runtime is built without a C++ library.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

template <class T>
class List {
  public:
    List() = default;
    List(const List&) = delete;
    List& operator=(const List&) = delete;
    ~List() { free(data_); }

    // False: no memory; the value is then not kept.
    bool push(const T& value) {
        if (count_ == room_ && !grow(count_ + 1)) return false;
        data_[count_++] = value;
        return true;
    }
    bool assign(uint64_t count, const T& value) {
        if (count > room_ && !grow(count)) return false;
        for (count_ = 0; count_ < count;) data_[count_++] = value;
        return true;
    }
    void clear() { count_ = 0; }
    void give_back() {
        free(data_);
        data_ = nullptr;
        count_ = room_ = 0;
    }
    void drop(uint64_t index) {
        memmove(data_ + index, data_ + index + 1, (count_ - index - 1) * sizeof(T));
        --count_;
    }
    T pop() { return data_[--count_]; }
    uint64_t size() const { return count_; }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T& operator[](uint64_t index) { return data_[index]; }
    const T& operator[](uint64_t index) const { return data_[index]; }
    T& back() { return data_[count_ - 1]; }
    const T& back() const { return data_[count_ - 1]; }

  private:
    bool grow(uint64_t least) {
        uint64_t room = room_ ? room_ * 2 : 16;
        if (room < least) room = least;
        T* data = static_cast<T*>(realloc(data_, room * sizeof(T)));
        if (!data) return false;
        data_ = data;
        room_ = room;
        return true;
    }

    T* data_ = nullptr;
    uint64_t count_ = 0;
    uint64_t room_ = 0;
};
