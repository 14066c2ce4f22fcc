/**
 * Converts a time to the value of a field of the type `datetime-local`, in the time zone of the viewer.
 *
 * @param time RFC 3339; undefined for an empty field
 */
export function toLocalTime(time: string | undefined): string {
  if (time === undefined) return '';
  const date = new Date(time);
  const pad = (number: number) => String(number).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Converts the value of a `datetime-local` field to RFC 3339. Returns undefined for an empty field. */
export function fromLocalTime(value: string): string | undefined {
  return value === '' ? undefined : new Date(value).toISOString();
}

/**
 * Converts the value of a `datetime-local` field to RFC 3339. If it is unchanged, returns `previous`, because the
 * field does not show seconds.
 *
 * @param previous the time that the field showed first
 */
export function fromChangedLocalTime(value: string, previous: string | undefined): string | undefined {
  return value === toLocalTime(previous) ? previous : fromLocalTime(value);
}
