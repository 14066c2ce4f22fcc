const MAX_SHOWN = 3;

/** The first event types, and the number of others. */
export function EventTypeNames({ names }: { readonly names: readonly string[] }) {
  if (names.includes('*')) return <>all events</>;
  const more = names.length - MAX_SHOWN;
  return (
    <>
      {names.slice(0, MAX_SHOWN).map((name) => (
        <div key={name}>
          <code>{name}</code>
        </div>
      ))}
      {more > 0 && <span className="soft small">and {more} more</span>}
    </>
  );
}
