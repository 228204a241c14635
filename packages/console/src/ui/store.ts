import { useLayoutEffect, useState } from 'preact/hooks';

/** A value that components observe. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The current value of a store. The component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(() => store.value);
  useLayoutEffect(() => {
    setValue(() => store.value);
    return store.subscribe(() => setValue(() => store.value));
  }, [store]);
  return Object.is(value, store.value) ? value : store.value;
}
