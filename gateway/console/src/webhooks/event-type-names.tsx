const SHOWN = 3;

/** The first event types, and the number of others. */
export function EventTypeNames({ names }: { readonly names: readonly string[] }) {
  if (names.includes('*')) return <>all events</>;
  const more = names.length - SHOWN;
  return (
    <>
      {names.slice(0, SHOWN).map((name) => (
        <div key={name}>
          <code>{name}</code>
        </div>
      ))}
      {more > 0 && <span className="soft small">and {more} more</span>}
    </>
  );
}
