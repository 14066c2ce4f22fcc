import type { DeliveryAttempt } from '@survey/client';
import { CodeBlock } from '../ui/code-block.tsx';
import { formatDuration, Time } from '../ui/format.tsx';
import { Status } from '../ui/states.tsx';

const TRIGGERS: Readonly<Record<DeliveryAttempt['trigger'], string>> = {
  schedule: 'by the schedule',
  redeliver: 'by a redelivery',
  replay: 'by a replay',
  test: 'by a test',
};

/** An attempt with the reply of the receiver. The reply can be anything, so it is shown as plain text. */
export function Attempt({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const { number, started_at, duration_ms, trigger, status_code, content_type, response_excerpt, error } = attempt;
  const isSuccess = status_code !== undefined && status_code >= 200 && status_code < 300;
  return (
    <article className="card stack" aria-label={`Attempt ${number}`}>
      <div className="row">
        <strong>Attempt {number}</strong>
        <Status
          value={status_code === undefined ? 'no reply' : `HTTP ${status_code}`}
          tone={isSuccess ? 'good' : 'bad'}
        />
        <span className="soft small">
          <Time value={started_at} />, {formatDuration(duration_ms)}, {TRIGGERS[trigger]}
        </span>
      </div>
      {error !== undefined && (
        <p>
          <bdi>{error}</bdi>
        </p>
      )}
      {response_excerpt !== undefined && response_excerpt !== '' && (
        <div>
          <div className="soft small">
            Reply{content_type === undefined ? '' : `, ${content_type}`}, at most the first 1,000 characters
          </div>
          <CodeBlock label={`Reply to attempt ${number}`} code={response_excerpt} />
        </div>
      )}
      {response_excerpt === '' && <p className="soft small">The reply was empty.</p>}
    </article>
  );
}
