const agreement = ['disagree', 'neutral', 'agree'];

/** A survey with all types of questions, in English and Arabic, on three pages. */
export const allTypesSurvey = {
  title: { en: 'Lunch', ar: 'الغداء' },
  description: { en: 'About our canteen.', ar: 'عن مطعمنا.' },
  supported_languages: ['en', 'ar'],
  welcome_screen: { title: { en: 'Welcome to lunch', ar: 'أهلًا بكم' } },
  pages: [
    {
      title: { en: 'Food', ar: 'الطعام' },
      questions: [
        {
          id: 'drink',
          type: 'single_choice',
          title: { en: 'What did you drink?', ar: 'ماذا شربت؟' },
          options: [
            { id: 'tea', text: { en: 'Tea', ar: 'شاي' } },
            { id: 'water', text: { en: 'Water', ar: 'ماء' } },
          ],
          allow_other: true,
          required: true,
        },
        {
          id: 'dishes',
          type: 'multiple_choice',
          title: { en: 'What did you eat?', ar: 'ماذا أكلت؟' },
          options: [
            { id: 'soup', text: { en: 'Soup', ar: 'شوربة' } },
            { id: 'rice', text: { en: 'Rice', ar: 'أرز' } },
            { id: 'nothing', text: { en: 'Nothing', ar: 'لا شيء' }, exclusive: true },
          ],
          allow_other: true,
          max_selections: 2,
        },
        {
          id: 'nps',
          type: 'rating',
          title: { en: 'Would you recommend us?', ar: 'هل توصي بنا؟' },
          min: 0,
          max: 10,
          labels: { 0: { en: 'Not at all', ar: 'أبدًا' }, 10: { en: 'Certainly', ar: 'بالتأكيد' } },
        },
      ],
    },
    {
      title: { en: 'Details', ar: 'التفاصيل' },
      questions: [
        {
          id: 'service',
          type: 'likert',
          title: 'Do you agree?',
          options: agreement,
          rows: [
            { id: 'fast', text: 'Service was fast' },
            { id: 'kind', text: 'Staff were kind' },
          ],
          required: true,
        },
        { id: 'mood', type: 'likert', title: 'I feel well today', options: agreement },
        {
          id: 'days',
          type: 'matrix',
          title: 'When do you eat with us?',
          rows: [
            { id: 'mon', text: 'Monday' },
            { id: 'tue', text: 'Tuesday' },
          ],
          columns: ['breakfast', 'lunch'],
          multiple: true,
        },
      ],
    },
    {
      questions: [
        { id: 'badge', type: 'text', title: 'Badge number', pattern: '^[A-Z]{2}[0-9]{4}$' },
        { id: 'comment', type: 'textarea', title: 'Anything else?', max_length: 500 },
        { id: 'visit', type: 'date', title: 'When were you here?', min: '2026-01-01' },
        { id: 'arrival', type: 'time', title: 'At what time did you arrive?' },
        { id: 'receipt', type: 'file_upload', title: 'Your receipt', accept: ['image/*'], max_files: 2 },
      ],
    },
  ],
};

/** Markup, a script, a character that turns the direction of text, and quotes. */
export const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202e "\'\u0024{1}';

/** Expression that is true in a page that ran the hostile text. */
export const WAS_HACKED = "'hacked' in window";

const LONG_WORD = 'w'.repeat(10_000);

/** A survey whose texts try to break out of the page, and out of its width. */
export const hostileSurvey = {
  title: HOSTILE,
  description: LONG_WORD,
  supported_languages: ['en'],
  pages: [
    {
      title: LONG_WORD,
      description: HOSTILE,
      questions: [
        {
          id: 'constructor',
          type: 'single_choice',
          title: HOSTILE,
          description: LONG_WORD,
          options: [
            { id: HOSTILE, text: HOSTILE },
            { id: 'toString', text: LONG_WORD },
          ],
        },
        { id: 'rows', type: 'matrix', title: 'Rows', rows: [HOSTILE, LONG_WORD], columns: [HOSTILE, LONG_WORD] },
        { id: 'scale', type: 'rating', title: LONG_WORD, labels: { 1: HOSTILE, 5: LONG_WORD } },
        { id: 'text', type: 'text', title: 'Text' },
      ],
    },
  ],
  thank_you_screen: { title: 'Thank you', description: `${HOSTILE} ${LONG_WORD}` },
};
