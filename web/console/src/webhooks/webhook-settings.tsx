import { useParams } from '@tanstack/react-router';
import { SurveyTitleById } from '../surveys/survey-name.tsx';
import { Time } from '../ui/format.tsx';
import { QueryView } from '../ui/states.tsx';
import { useWebhook } from './webhook.ts';

/** Shows the settings of a webhook. They are edited in a dialog. */
export function WebhookSettings() {
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' });
  return (
    <QueryView query={useWebhook(webhookId)}>
      {({ webhook }) => (
        <dl>
          <dt>URL</dt>
          <dd dir="ltr">{webhook.url}</dd>
          {webhook.description !== '' && (
            <>
              <dt>Description</dt>
              <dd dir="auto">{webhook.description}</dd>
            </>
          )}
          <dt>Events</dt>
          <dd>
            {webhook.event_types.map((name) => (
              <div key={name}>
                <code>{name}</code>
              </div>
            ))}
          </dd>
          <dt>Surveys</dt>
          <dd>
            {webhook.survey_ids.length === 0 && 'all'}
            {webhook.survey_ids.map((id) => (
              <div key={id}>
                <SurveyTitleById surveyId={id} />
              </div>
            ))}
          </dd>
          <dt>Answers</dt>
          <dd>{webhook.include_answers ? 'included in events of responses' : 'not included'}</dd>
          <dt>Headers</dt>
          <dd>
            {Object.keys(webhook.headers).length === 0 && 'none'}
            {Object.entries(webhook.headers).map(([name, value]) => (
              <div key={name}>
                <code>
                  {name}: {String(value)}
                </code>
              </div>
            ))}
          </dd>
          <dt>Previous secret</dt>
          <dd>
            {webhook.previous_secret_expires_at === undefined ? (
              'not used'
            ) : (
              <>
                also signs until <Time value={webhook.previous_secret_expires_at} />
              </>
            )}
          </dd>
          <dt>Created</dt>
          <dd>
            <Time value={webhook.created_at} />
          </dd>
          <dt>Changed</dt>
          <dd>
            <Time value={webhook.updated_at} />
          </dd>
          <dt>Id</dt>
          <dd>
            <code>{webhook.id}</code>
          </dd>
        </dl>
      )}
    </QueryView>
  );
}
