import type { Survey } from '@survey/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox, type Key } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { useClient } from '../session/session.tsx';
import { useDelayedText } from '../ui/delayed-commit.ts';
import { MAX_SEARCH_LENGTH } from './survey-list-search.ts';
import { surveyTitle } from './survey-name.tsx';

const MAX_SHOWN = 20;

interface Props {
  readonly label: string;
  readonly onChoose: (survey: Survey) => void;
}

/** Finds a survey by words of its title. */
export function SurveyPicker({ label, onChoose }: Props) {
  const client = useClient();
  const [words, setWords] = useState('');
  const { text, change, flush } = useDelayedText(words, setWords);
  // Each choice makes a new field: clearing the same field would open its list again.
  const [fieldNumber, setFieldNumber] = useState(0);
  const found = useQuery({
    queryKey: ['surveys', 'picker', words],
    queryFn: async ({ signal }) =>
      (await client.surveys.list({ limit: MAX_SHOWN, ...(words === '' ? {} : { q: words }) }, { signal }).page()).items,
    placeholderData: (previous) => previous,
  });
  const items = found.data ?? [];
  const isSearching = found.isFetching || text !== words;

  return (
    <ComboBox
      key={fieldNumber}
      // After a choice, the new field gets the focus.
      autoFocus={fieldNumber > 0}
      className="field"
      items={items}
      inputValue={text}
      onInputChange={change}
      selectedKey={null}
      onSelectionChange={(key: Key | null) => {
        const survey = items.find(({ id }) => id === key);
        if (survey === undefined) return;
        onChoose(survey);
        change('');
        flush();
        setFieldNumber((previous) => previous + 1);
      }}
      allowsEmptyCollection
    >
      <Label>{label}</Label>
      <div className="combo">
        <Input className="input" placeholder="Search by title" maxLength={MAX_SEARCH_LENGTH} />
        <Button className="button" aria-label="Show surveys">
          ▾
        </Button>
      </div>
      <Popover className="popover">
        <ListBox<Survey>
          className="list-box"
          renderEmptyState={() => (
            <div className="soft">{isSearching ? 'Searching…' : (found.error?.message ?? 'No surveys match.')}</div>
          )}
        >
          {({ id, definition, status }) => (
            <ListBoxItem id={id} className="list-box-item" textValue={surveyTitle(definition)}>
              <bdi>{surveyTitle(definition)}</bdi> <span className="soft small">{status}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
