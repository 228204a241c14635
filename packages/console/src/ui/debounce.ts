import { useEffect, useState } from 'preact/hooks';

const quietMs = 250;

/** A value that stood still for a quarter of a second. */
export function useDebounced<T>(value: T): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(() => value), quietMs);
    return () => clearTimeout(timer);
  }, [value]);
  return still;
}
