import type { ResponseCorrection } from '@survey/client';
import type { Question } from '@survey/questionnaire';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.tsx';
import { Time } from '../ui/format.tsx';
import { Empty, QueryView } from '../ui/states.tsx';
import { responseKey } from './response-queries.ts';

interface Props {
  readonly responseId: string;
  /** Questions of the version, for their titles. */
  readonly questions: readonly Question[];
}

/** The corrections of a response by users, newest first. They name the changed answers, but do not contain them. */
export function ResponseHistory({ responseId, questions }: Props) {
  const { client, me } = useSession();
  const history = useQuery({
    queryKey: [...responseKey(responseId), 'history'],
    queryFn: ({ signal }) => client.responses.listHistory(responseId, { signal }),
  });
  const titles = new Map(questions.map(({ id, title }) => [id, title]));
  return (
    <QueryView query={history}>
      {(corrections) =>
        corrections.length === 0 ? (
          <Empty title="Nobody has corrected this response." />
        ) : (
          <ol className="plain-list stack">
            {corrections.map((correction) => (
              <li key={correction.revision}>
                <Time value={correction.corrected_at} /> <strong>Corrected</strong> by{' '}
                <bdi>{correction.corrected_by === me.user_id ? 'you' : correction.corrected_by}</bdi>
                <Changes correction={correction} titles={titles} />
              </li>
            ))}
          </ol>
        )
      }
    </QueryView>
  );
}

interface ChangesProps {
  readonly correction: ResponseCorrection;
  readonly titles: ReadonlyMap<string, string>;
}

function Changes({ correction, titles }: ChangesProps) {
  const { question_ids, metadata_changed, status_before, status_after } = correction;
  return (
    <ul>
      {status_before !== status_after && (
        <li>
          Status: {status_before.replaceAll('_', ' ')} → {status_after.replaceAll('_', ' ')}
        </li>
      )}
      {question_ids.map((id) => (
        <li key={id}>
          Answer to <bdi>{titles.get(id) ?? id}</bdi>
        </li>
      ))}
      {metadata_changed && <li>Metadata</li>}
    </ul>
  );
}
