import type { Survey, SurveyDefinition } from '@survey/client';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { SurveyPage } from '../surveys/survey-page.tsx';
import { availableChoice, useDefinition } from '../surveys/use-survey.ts';
import { SelectField } from '../ui/fields.tsx';
import { chooseLanguage } from '../ui/format.tsx';
import { Loading, QueryView } from '../ui/states.tsx';
import type { PreviewSearch } from './definition-search.ts';
import { DefinitionSelect } from './definition-select.tsx';

export function PreviewPage() {
  const { surveyId } = useParams({ from: '/surveys/$surveyId/preview' });
  return (
    <SurveyPage surveyId={surveyId} tab="Preview">
      {({ survey }) => <Preview survey={survey} />}
    </SurveyPage>
  );
}

function Preview({ survey }: { readonly survey: Survey }) {
  const search = useSearch({ from: '/surveys/$surveyId/preview' });
  const navigate = useNavigate();
  // Show the draft by default, because users want to try it before they publish it.
  const choice = availableChoice(survey, search.version) ?? (survey.has_draft ? 'draft' : survey.version);
  // Keep the frame while another version is loaded, because the frame has the answers of the user.
  const definition = useDefinition(survey, choice, { keepsPrevious: true });
  const show = (next: PreviewSearch) =>
    void navigate({
      to: '/surveys/$surveyId/preview',
      params: { surveyId: survey.id },
      search: next,
      replace: true,
    });
  return (
    <div className="stack">
      <p className="soft">The preview runs the logic of the survey in your browser. It stores no response.</p>
      <div className="row">
        <DefinitionSelect
          survey={survey}
          value={choice}
          onChange={(version) => show({ ...search, version: version ?? survey.version })}
        />
        {definition.data !== undefined && (
          <SelectField
            label="Language"
            value={languageOf(definition.data.survey, search.language)}
            onChange={(language) => show({ ...search, language })}
            options={definition.data.survey.supported_languages.map((language) => ({
              value: language,
              label: languageName(language),
            }))}
          />
        )}
      </div>
      <QueryView query={definition}>
        {({ survey: shown, version }) => (
          <Frame definition={shown} language={languageOf(shown, search.language)} surveyVersion={version} />
        )}
      </QueryView>
    </div>
  );
}

interface FrameProps {
  readonly definition: SurveyDefinition;
  readonly language: string;
  readonly surveyVersion: number;
}

/** Time after which the page for respondents should have started. */
const START_TIMEOUT_MS = 10_000;

/**
 * The page for respondents in a frame. When it is ready, it posts `survey-preview-ready`. This component then posts the
 * definition, its language and its version, and posts them again after each change.
 */
function Frame({ definition, language, surveyVersion }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  /** Number of times that the page in the frame has started. It starts again when it is reloaded. */
  const [starts, setStarts] = useState(0);
  const [isLate, setLate] = useState(false);

  useEffect(() => {
    const receive = (event: MessageEvent<unknown>) => {
      const isReady =
        event.origin === location.origin && event.source === frame.current?.contentWindow && isReadyMessage(event.data);
      if (isReady) setStarts((before) => before + 1);
    };
    addEventListener('message', receive);
    const timer = setTimeout(() => setLate(true), START_TIMEOUT_MS);
    return () => {
      removeEventListener('message', receive);
      clearTimeout(timer);
    };
  }, []);

  useEffect(() => {
    if (starts === 0) return;
    const message = { type: 'survey-preview', definition, language, survey_version: surveyVersion };
    frame.current?.contentWindow?.postMessage(message, location.origin);
  }, [starts, definition, language, surveyVersion]);

  return (
    <>
      {starts === 0 && !isLate && <Loading label="The preview starts…" />}
      {starts === 0 && isLate && (
        <div className="notice" data-tone="warn" role="status">
          <p>The preview does not start. The page for respondents is perhaps switched off on this platform.</p>
        </div>
      )}
      <iframe ref={frame} className="preview" title="Preview of the survey" src="/s/preview" />
    </>
  );
}

function isReadyMessage(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'survey-preview-ready';
}

/** The language nearest to the chosen one, or the first one of the survey. */
function languageOf({ supported_languages: languages }: SurveyDefinition, chosen: string | undefined): string {
  return chooseLanguage(languages, chosen === undefined ? [] : [chosen]);
}

/** The name of a language in the language of the viewer, with its tag. */
function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames(undefined, { type: 'language' }).of(tag);
    return name === undefined || name === tag ? tag : `${name} (${tag})`;
  } catch {
    // Definitions can declare tags that browsers do not know.
    return tag;
  }
}
