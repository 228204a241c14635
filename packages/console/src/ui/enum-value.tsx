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
