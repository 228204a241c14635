import { t } from '../catalog/index.ts';
import { Stored } from '../text/stored-text.tsx';

/** A value of a closed set in the chosen language, with the raw value as title (spec 60 §6.5.1). */
export function EnumValue<T extends string>({
  value,
  phrases,
}: {
  value: T;
  phrases: Readonly<Record<T, string>>;
}) {
  return <span title={value}>{phrases[value]}</span>;
}

/** The kind of a Memory entry. Callers may use kinds of their own, which are stored text. */
export function KindName({ kind }: { kind: string }) {
  return Object.hasOwn(t.kinds, kind) ? (
    <EnumValue value={kind as keyof typeof t.kinds} phrases={t.kinds} />
  ) : (
    <Stored text={kind} />
  );
}
