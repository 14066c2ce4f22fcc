import type { Messages } from './messages.ts';
import { createPlural } from './plural.ts';

const seconds = createPlural('ar', {
  one: 'ثانية واحدة',
  two: 'ثانيتين',
  few: '# ثوانٍ',
  other: '# ثانية',
});

export const ar: Messages = {
  tag: 'ar',
  loading: 'جارٍ تحميل الاستبيان…',
  start: 'ابدأ',
  next: 'التالي',
  back: 'السابق',
  submit: 'إرسال',
  retry: 'حاول مرة أخرى',
  restart: 'ابدأ من جديد',
  clear: 'إلغاء الاختيار',
  required: 'مطلوب',
  language: 'اللغة',
  choose: 'اختر إجابة',
  other: 'أخرى',
  otherText: 'إجابتك الخاصة',
  page: (number, count) => `الصفحة ${number} من ${count}`,
  understood: (local, plain) => `قُرئ كعدد عشري: ${local} (${plain})`,
  checkAnswers: 'يرجى مراجعة هذه الإجابات',
  noQuestions: 'لا توجد أسئلة لك في هذا الاستبيان.',
  preview: 'معاينة: لن يُرسل أي شيء.',

  addFiles: 'اختر الملفات',
  remove: (name) => `إزالة ${name}`,
  uploading: (name) => `جارٍ رفع ${name}`,
  uploaded: (name) => `تم رفع ${name}`,
  uploadRunning: 'يرجى الانتظار حتى يكتمل رفع الملفات.',
  removeFailedUploads: 'يرجى إزالة الملفات التي لم تُرفع.',
  uploadFailed: 'فشل رفع الملف.',
  fileTooLarge: 'هذا الملف كبير جدًا.',
  fileKindRefused: 'هذا النوع من الملفات غير مقبول.',
  tooManyFiles: 'عدد الملفات أكبر من المسموح. لم تُرفع:',

  keepOnDevice: 'احتفظ بإجاباتي على هذا الجهاز',
  keepOnDeviceHint: 'لتتمكن من المتابعة بعد إغلاق المتصفح. اختر ذلك فقط على جهاز لا يستخدمه غيرك.',
  notSaved: 'لم تُحفظ إجاباتك بعد. تبقى في هذا المتصفح وتُرسل عندما تتابع.',
  sending: 'جارٍ إرسال إجاباتك…',
  noConnection: 'لا يوجد اتصال. يرجى المحاولة لاحقًا.',
  offlineAnswersKept: 'لا يوجد اتصال. يحتفظ هذا المتصفح بإجاباتك ويرسلها في أقرب وقت ممكن. أبقِ هذه الصفحة مفتوحة.',
  busy: 'المنصة مشغولة. ستُرسل إجاباتك مرة أخرى بعد قليل. أبقِ هذه الصفحة مفتوحة.',
  rejected: 'تعذّر إرسال إجاباتك.',

  passwordTitle: 'يتطلب هذا الاستبيان كلمة مرور',
  passwordLabel: 'كلمة المرور',
  passwordSubmit: 'فتح الاستبيان',
  passwordWrong: 'كلمة المرور غير صحيحة.',
  passwordLater: (count) => `محاولات كثيرة جدًا. حاول مرة أخرى بعد ${seconds(count)}.`,

  thankYou: { title: 'شكرًا لك', text: 'تم إرسال إجاباتك.' },
  disqualified: { title: 'شكرًا لاهتمامك', text: 'هذا الاستبيان موجّه إلى مشاركين آخرين.' },
  notFound: { title: 'لا يوجد استبيان بهذا العنوان', text: 'يرجى التحقق من العنوان.' },
  notOpenYet: { title: 'لم يُفتح هذا الاستبيان بعد', text: 'يرجى العودة لاحقًا.' },
  closed: { title: 'هذا الاستبيان مغلق', text: 'لا يقبل إجابات جديدة.' },
  full: { title: 'اكتمل عدد المشاركين', text: 'وصل هذا الاستبيان إلى العدد المطلوب من الإجابات.' },
  linkNeeded: { title: 'تحتاج إلى رابط شخصي', text: 'يرجى فتح الاستبيان بالرابط الكامل الذي وصلك.' },
  linkExpired: { title: 'انتهت صلاحية هذا الرابط', text: 'يرجى طلب رابط جديد.' },
  linkUsed: { title: 'سبق استخدام هذا الرابط', text: 'لا يقبل إجابات جديدة.' },
  alreadySubmitted: { title: 'سبق إرسال إجاباتك', text: 'يمكنك إغلاق هذه الصفحة.' },
  elsewhere: {
    title: 'تابع على الجهاز الآخر',
    text: 'لقد بدأت هذا الاستبيان على جهاز آخر أو في متصفح آخر. لا يمكن متابعته إلا هناك.',
  },
  changed: {
    title: 'تغيّرت إجاباتك على جهاز آخر',
    text: 'هذه الإجابات مختلفة. إذا أجبت على الجهازين، فاختر الإجابة المعتمدة.',
  },
  onOtherDevice: 'على الجهاز الآخر:',
  onThisDevice: 'على هذا الجهاز:',
  noAnswer: 'بلا إجابة',
  failed: { title: 'تعذّر عرض الاستبيان', text: 'يرجى المحاولة لاحقًا.' },
  requestId: (id) => `إذا أبلغت عن هذه المشكلة فاذكر رقم الطلب ${id}`,

  hints: {
    length: (max) => `الحد الأقصى لعدد الأحرف: ${max}`,
    selections: (min, max) =>
      min > 0 && max !== undefined
        ? `عدد الاختيارات: ${min === max ? min : `من ${min} إلى ${max}`}`
        : max === undefined
          ? `الحد الأدنى لعدد الاختيارات: ${min}`
          : `الحد الأقصى لعدد الاختيارات: ${max}`,
    range: (min, max) => `من ${min} إلى ${max}`,
    atLeast: (min) => `ابتداءً من ${min}`,
    atMost: (max) => `حتى ${max}`,
    rows: (count) => `الحد الأدنى لعدد الصفوف المطلوب ملؤها: ${count}`,
    files: (max) => `الحد الأقصى لعدد الملفات: ${max}`,
  },
  problems: {
    required: 'يرجى الإجابة عن هذا السؤال.',
    format: {
      email: 'أدخل بريدًا إلكترونيًا، مثل name@example.com',
      url: 'أدخل عنوانًا يبدأ بـ https:// أو http://',
      phone: 'أدخل رقم هاتف مكوّنًا من 5 إلى 15 رقمًا.',
      number: 'أدخل عددًا دون فواصل للآلاف.',
      integer: 'أدخل عددًا صحيحًا.',
      date: 'أدخل تاريخًا كاملًا.',
      time: 'أدخل وقتًا كاملًا.',
    },
    pattern: 'هذا النص ليس بالصيغة المتوقعة.',
    otherText: 'يرجى إدخال إجابتك الخاصة.',
    exclusive: 'لا يمكن الجمع بين هذا الخيار وغيره.',
    tooComplex: 'يرجى اختصار هذا النص.',
    tooShort: (min) => `الحد الأدنى لعدد الأحرف: ${min}`,
    invalid: 'هذه الإجابة غير مقبولة.',
  },
};
