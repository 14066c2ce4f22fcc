import type { AuditEvent } from '@survey/client';
import { useSession } from '../session/session.tsx';
import { Time } from '../ui/format.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty } from '../ui/states.tsx';
import type { Question } from './questions.ts';
import { responseKey } from './survey-data.ts';

interface Props {
  readonly responseId: string;
  /** Questions of the version, for their titles. */
  readonly questions: readonly Question[];
}

const ACTIONS: Readonly<Record<string, string>> = {
  'response.created': 'Submitted',
  'response.updated': 'Corrected',
  'response.deleted': 'Deleted',
};

const DATA = '/data/';

/** Changes of a response by users, newest first. Audit events name the changed answers, but do not contain them. */
export function ResponseHistory({ responseId, questions }: Props) {
  const { client, me } = useSession();
  const events = usePages([...responseKey(responseId), 'history'], (cursor, signal) =>
    client.audit
      .listEvents(
        { resource_type: 'response', resource_id: responseId, ...(cursor === undefined ? {} : { cursor }) },
        { signal },
      )
      .page(),
  );
  const titles = new Map(questions.map(({ id, title }) => [id, title]));
  return (
    <PagedList query={events} empty={<Empty title="No user of your organisation has changed this response." />}>
      {(items) => (
        <ol className="plain-list stack">
          {items.map((event) => (
            <li key={event.id}>
              <Time value={event.created_at} /> <strong>{ACTIONS[event.action] ?? event.action}</strong> by{' '}
              <bdi>{event.actor === me.user_id ? 'you' : event.actor}</bdi>
              <Changes changes={event.changes} titles={titles} />
            </li>
          ))}
        </ol>
      )}
    </PagedList>
  );
}

interface ChangesProps {
  readonly changes: AuditEvent['changes'];
  readonly titles: ReadonlyMap<string, string>;
}

function Changes({ changes, titles }: ChangesProps) {
  const answers = changes.filter(({ path }) => path.startsWith(DATA)).map(({ path }) => path.slice(DATA.length));
  const status = changes.find(({ path }) => path === '/status');
  return (
    <ul>
      {status !== undefined && status.before !== undefined && status.after !== undefined && (
        <li>
          Status: {String(status.before)} → {String(status.after)}
        </li>
      )}
      {answers.map((id) => (
        <li key={id}>
          Answer to <bdi>{titles.get(id) ?? id}</bdi>
        </li>
      ))}
      {changes.some(({ path }) => path === '/metadata' || path.startsWith('/metadata/')) && <li>Metadata</li>}
    </ul>
  );
}
