"""A value that tells its listeners when it changes. No Qt, no threads: set it on the loop's thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Observable(Generic[T]):
    """Holds one frozen value; setting an equal value tells nobody."""

    def __init__(self, value: T) -> None:
        self._value = value
        self._listeners: list[Callable[[T], None]] = []

    @property
    def value(self) -> T:
        """The value now."""
        return self._value

    def set(self, value: T) -> None:
        """Replace the value and tell every listener, in the order they subscribed."""
        if value == self._value:
            return
        self._value = value
        for listener in tuple(self._listeners):
            listener(value)

    def subscribe(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Call `listener` with every new value; return a function that ends this."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe
