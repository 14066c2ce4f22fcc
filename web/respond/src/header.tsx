import { nameOf } from './session/languages.ts';

interface Props {
  /** The notice that this is a preview; undefined for a real survey. */
  readonly preview: string | undefined;
  /** Label of the language selector. */
  readonly label: string;
  readonly languages: readonly string[];
  readonly language: string;
  readonly onLanguage: (tag: string) => void;
}

/** The notice of a preview, and a language selector if the survey has several languages. */
export function Header({ preview, label, languages, language, onLanguage }: Props) {
  return (
    <header class="header">
      {preview !== undefined && <p class="notice">{preview}</p>}
      {languages.length > 1 && (
        <label class="language">
          <span>{label}</span>
          <select value={language} onChange={({ currentTarget: { value } }) => onLanguage(value)}>
            {languages.map((tag) => (
              <option key={tag} value={tag} lang={tag}>
                {nameOf(tag)}
              </option>
            ))}
          </select>
        </label>
      )}
    </header>
  );
}
