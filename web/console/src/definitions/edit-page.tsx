import { ApiError, type CreateSurveyRequest } from '@survey/client';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/session.tsx';
import { SurveyPage } from '../surveys/survey-page.tsx';
import {
  type DefinitionPayload,
  type SurveyRecord,
  useDefinition,
  useInvalidateSurvey,
  useSurvey,
} from '../surveys/use-survey.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { Loading, QueryView } from '../ui/states.tsx';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import { toJsonText } from './json-text.ts';
import { PayloadForm } from './payload-form.tsx';

/** Edits the draft if the survey is active, otherwise its next version. */
export function EditPage() {
  const { surveyId } = useParams({ from: '/surveys/$surveyId/edit' });
  return (
    <SurveyPage surveyId={surveyId} tab="Edit">
      {(record) => <Editor record={record} />}
    </SurveyPage>
  );
}

function Editor({ record }: { readonly record: SurveyRecord }) {
  const { isFetching } = useSurvey(record.survey.id);
  // Edit the survey as it was first loaded. Later reads of the survey must not replace the text.
  const [opened, setOpened] = useState<SurveyRecord>();
  // `record` may be an old one from the cache. Wait until the survey has been read again.
  if (opened === undefined && !isFetching) setOpened(record);
  return opened === undefined ? <Loading /> : <OpenedEditor opened={opened} />;
}

function OpenedEditor({ opened }: { readonly opened: SurveyRecord }) {
  const { survey } = opened;
  const definition = useDefinition(survey, survey.has_draft ? 'draft' : undefined);
  return <QueryView query={definition}>{(payload) => <LoadedEditor opened={opened} payload={payload} />}</QueryView>;
}

interface Props {
  readonly opened: SurveyRecord;
  readonly payload: DefinitionPayload;
}

function LoadedEditor({ opened, payload }: Props) {
  const client = useClient();
  const navigate = useNavigateAfter();
  const announce = useAnnounce();
  const invalidateSurvey = useInvalidateSurvey();
  const { id, version } = opened.survey;
  const current = useSurvey(id);
  const [initialText] = useState(() => toJsonText({ ...payload, version }));
  // A change is saved only if the survey is still in the state that the user has seen. This state also decides whether
  // the change becomes a draft.
  const [lastSeen, setLastSeen] = useState(opened);
  const [isSaved, setSaved] = useState(false);
  const savesDraft = lastSeen.survey.status === 'active';
  const outcome = savesDraft
    ? 'The survey is active. Your changes are kept as a draft until you publish it.'
    : `Your changes become version ${lastSeen.survey.version + 1}. Respondents see it when the survey is published.`;

  async function save(input: CreateSurveyRequest): Promise<void> {
    try {
      await client.surveys.replace(id, input, { draft: savesDraft }, { ifMatch: lastSeen.etag });
    } catch (error) {
      // Read the survey again, so that the notice of the other user's change appears with the error.
      if (isStale(error)) await current.refetch();
      throw error;
    }
    setSaved(true);
    announce(savesDraft ? 'The draft is saved.' : 'The definition is saved.');
    await invalidateSurvey(id);
    await navigate({
      to: '/surveys/$surveyId/definition',
      params: { surveyId: id },
      search: savesDraft ? { version: 'draft' } : {},
    });
  }

  return (
    <div className="stack">
      <p className="soft">{outcome}</p>
      {payload.version !== version && (
        <div className="notice" data-tone="warn">
          <p>
            The draft is based on version {payload.version}, but version {version} has been published since. When you
            save, the draft replaces the changes of version {version}.
          </p>
        </div>
      )}
      <PayloadForm initialText={initialText} submitLabel={savesDraft ? 'Save draft' : 'Save'} onSubmit={save}>
        {(clearError) =>
          !isSaved && current.data !== undefined && current.data.etag !== lastSeen.etag ? (
            <ChangedNotice
              onOverwrite={() => {
                setLastSeen(current.data);
                clearError();
              }}
            />
          ) : (
            lastSeen !== opened && (
              <div className="notice" data-tone="warn" role="status">
                <p>When you save, your text replaces their change. {outcome}</p>
              </div>
            )
          )
        }
      </PayloadForm>
    </div>
  );
}

function ChangedNotice({ onOverwrite }: { readonly onOverwrite: () => void }) {
  return (
    <div className="notice" data-tone="warn" role="alert">
      <p>
        Somebody changed the survey after you began. Look at their change in another tab. You can keep your text, and
        overwrite their change when you save.
      </p>
      <div>
        <Button onPress={onOverwrite}>Overwrite their change</Button>
      </div>
    </div>
  );
}

function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
