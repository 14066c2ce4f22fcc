import { nameOf } from './session/languages.ts';

interface Props {
  /** Notice of a preview, if this is one. */
  readonly preview: string | undefined;
  /** Label of the choice. */
  readonly label: string;
  readonly languages: readonly string[];
  readonly language: string;
  readonly onLanguage: (tag: string) => void;
}

/** The notice of a preview, and the choice of the language if there are several. */
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
