import { useId } from 'preact/hooks';

/** A select whose options have a phrase, with the raw value as title. */
export function Select<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}) {
  const id = useId();
  return (
    <span class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map(([option, phrase]) => (
          <option key={option} value={option} title={option}>
            {phrase}
          </option>
        ))}
      </select>
    </span>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  /** In characters; the live count stands beside the label. */
  max?: number;
  rows?: number;
  error?: string | undefined;
  readOnly?: boolean;
  placeholder?: string;
}

/** A field of one or more lines, with a count of its characters and the issue of the service. */
export function TextField({
  label,
  value,
  onInput,
  max,
  rows = 1,
  error,
  readOnly = false,
  placeholder,
}: TextFieldProps) {
  const id = useId();
  const length = max === undefined ? 0 : [...value].length;
  const shared = {
    id,
    value,
    readOnly,
    placeholder,
    dir: 'auto' as const,
    'aria-invalid': error !== undefined || (max !== undefined && length > max),
    'aria-describedby': `${id}-notes`,
  };
  return (
    <div class="field wide">
      <label for={id}>{label}</label>
      {rows === 1 ? (
        <input {...shared} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <textarea {...shared} rows={rows} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
      <span id={`${id}-notes`} class="hint">
        {max !== undefined && (
          <span class={length > max ? 'bad' : ''}>
            {length} / {max}
          </span>
        )}
        {error !== undefined && <strong class="bad"> {error}</strong>}
      </span>
    </div>
  );
}
