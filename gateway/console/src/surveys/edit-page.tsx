import { ApiError, type Survey } from '@survey/client';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { QueryView } from '../ui/states.tsx';
import { toJsonText } from './json-text.ts';
import { PayloadForm } from './payload-form.tsx';
import { SurveyPage } from './survey-page.tsx';
import { type DefinitionPayload, type SurveyRecord, useDefinition, useSurvey, useSurveyChanged } from './use-survey.ts';

/** Edits the draft of an active survey, or the next version of another one. */
export function EditPage() {
  const { surveyId } = useParams({ from: '/surveys/$surveyId/edit' });
  return (
    <SurveyPage surveyId={surveyId} tab="Edit">
      {(record) => <Editor record={record} />}
    </SurveyPage>
  );
}

function Editor({ record }: { readonly record: SurveyRecord }) {
  // The text belongs to the state that was loaded first: later ones must not replace it, nor look as if they were edited.
  const [{ survey, etag }] = useState(record);
  const definition = useDefinition(survey, survey.has_draft ? 'draft' : undefined);
  return (
    <QueryView query={definition}>
      {(payload) => <LoadedEditor survey={survey} etag={etag} payload={payload} />}
    </QueryView>
  );
}

interface Props {
  readonly survey: Survey;
  readonly etag: string;
  readonly payload: DefinitionPayload;
}

function LoadedEditor({ survey, etag, payload }: Props) {
  const client = useClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const changed = useSurveyChanged();
  const current = useSurvey(survey.id);
  const [initialText] = useState(() => toJsonText({ ...payload, version: survey.version }));
  const [ifMatch, setIfMatch] = useState(etag);
  const savesDraft = survey.status === 'active';

  return (
    <div className="stack">
      <p className="soft">
        {savesDraft
          ? 'The survey is active. Your changes are kept as a draft until you publish it.'
          : `Your changes become version ${survey.version + 1}. Respondents see it when the survey is published.`}
      </p>
      {payload.version !== survey.version && (
        <div className="notice" data-tone="warn">
          <p>
            The draft is based on version {payload.version}, but version {survey.version} has been published since. When
            you save, the draft replaces the changes of version {survey.version}.
          </p>
        </div>
      )}
      <PayloadForm
        initialText={initialText}
        submitLabel={savesDraft ? 'Save draft' : 'Save'}
        onSubmit={async (input) => {
          await client.surveys.replace(survey.id, input, { draft: savesDraft }, { ifMatch });
          announce(savesDraft ? 'The draft is saved.' : 'The definition is saved.');
          await changed(survey.id);
          await navigate({
            to: '/surveys/$surveyId/definition',
            params: { surveyId: survey.id },
            search: savesDraft ? { version: 'draft' } : {},
          });
        }}
        afterError={(error, clear) =>
          error instanceof ApiError &&
          error.status === 412 && (
            <div className="notice" data-tone="warn">
              <p>
                Somebody changed the survey after you began. Look at their change in another tab. You can save your text
                over it.
              </p>
              <div>
                <Button
                  onPress={() =>
                    void current.refetch().then(({ data }) => {
                      if (data !== undefined) setIfMatch(data.etag);
                      clear();
                    })
                  }
                >
                  Permit saving over it
                </Button>
              </div>
            </div>
          )
        }
      />
    </div>
  );
}
