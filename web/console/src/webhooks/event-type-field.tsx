import type { EventType } from '@survey/client';
import { Checkbox } from '../ui/fields.tsx';
import { QueryView } from '../ui/states.tsx';
import { useEventTypes } from './webhook.ts';

const ALL = '*';
/** Only the test of a webhook sends this event, whatever event types the webhook has. */
const TEST_EVENT = 'webhook.test';

interface Props {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}

/** A choice of event types: all, families such as `survey.*`, or single ones. */
export function EventTypeField(props: Props) {
  return (
    <fieldset className="fieldset">
      <legend>Events</legend>
      <QueryView query={useEventTypes()}>{(types) => <Families types={types} {...props} />}</QueryView>
    </fieldset>
  );
}

function Families({ types, value, onChange }: Props & { readonly types: readonly EventType[] }) {
  const set = (name: string, isChosen: boolean) =>
    onChange(isChosen ? [...value, name] : value.filter((chosen) => chosen !== name));
  const families = Map.groupBy(
    types.filter(({ name }) => name !== TEST_EVENT),
    ({ name }) => `${name.split('.')[0]}.*`,
  );
  const isAll = value.includes(ALL);
  return (
    <>
      <Checkbox
        label="All events, including those of later versions"
        checked={isAll}
        onChange={(chosen) => set(ALL, chosen)}
      />
      {!isAll &&
        [...families].map(([family, members]) => (
          <div key={family} className="choices">
            <Checkbox
              label={`All events of ${family}`}
              checked={value.includes(family)}
              onChange={(chosen) => set(family, chosen)}
            />
            {!value.includes(family) &&
              members.map(({ name, description }) => (
                <div key={name} className="choices-inner">
                  <Checkbox label={name} checked={value.includes(name)} onChange={(chosen) => set(name, chosen)} />
                  <div className="small soft">{description.replaceAll('`', '')}</div>
                </div>
              ))}
          </div>
        ))}
    </>
  );
}

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
