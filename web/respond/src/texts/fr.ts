import type { Messages } from './messages.ts';
import { createPlural } from './plural.ts';

const characters = createPlural('fr', { one: '# caractère', other: '# caractères' });
const seconds = createPlural('fr', { one: '# seconde', other: '# secondes' });

export const fr: Messages = {
  tag: 'fr',
  loading: 'Chargement de l’enquête…',
  start: 'Commencer',
  next: 'Suivant',
  back: 'Précédent',
  submit: 'Envoyer',
  retry: 'Réessayer',
  restart: 'Recommencer',
  clear: 'Effacer mon choix',
  required: 'obligatoire',
  language: 'Langue',
  choose: 'Choisissez une option',
  other: 'Autre',
  otherText: 'Votre propre réponse',
  page: (number, count) => `Page ${number} sur ${count}`,
  understood: (local, plain) => `Lu comme le nombre décimal ${local} (${plain})`,
  checkAnswers: 'Veuillez vérifier ces réponses',
  noQuestions: 'Cette enquête ne comporte aucune question pour vous.',
  preview: 'Aperçu\u00a0: rien n’est envoyé.',

  addFiles: 'Choisir des fichiers',
  remove: (name) => `Supprimer ${name}`,
  uploading: (name) => `Envoi en cours\u00a0: ${name}`,
  uploaded: (name) => `Fichier envoyé\u00a0: ${name}`,
  uploadRunning: 'Veuillez attendre la fin de l’envoi de vos fichiers.',
  removeFailedUploads: 'Veuillez supprimer les fichiers qui n’ont pas été envoyés.',
  uploadFailed: 'L’envoi a échoué.',
  fileTooLarge: 'Ce fichier est trop volumineux.',
  fileKindRefused: 'Ce type de fichier n’est pas accepté.',
  tooManyFiles: 'Il y a trop de fichiers. Non envoyés\u00a0:',

  keepOnDevice: 'Garder mes réponses sur cet appareil',
  keepOnDeviceHint:
    'Vous pourrez ainsi continuer après avoir fermé le navigateur. Ne choisissez cela que sur un appareil que personne d’autre n’utilise.',
  notSaved:
    'Vos réponses ne sont pas encore enregistrées. Ce navigateur les garde et les enverra quand vous continuerez.',
  sending: 'Envoi de vos réponses…',
  noConnection: 'Il n’y a pas de connexion. Veuillez réessayer plus tard.',
  offlineAnswersKept:
    'Il n’y a pas de connexion. Ce navigateur garde vos réponses et les enverra dès que possible. Gardez cette page ouverte.',
  busy: 'La plateforme est surchargée. Vos réponses seront renvoyées dans un instant. Gardez cette page ouverte.',
  rejected: 'Vos réponses n’ont pas pu être envoyées.',

  passwordTitle: 'Cette enquête est protégée par un mot de passe',
  passwordLabel: 'Mot de passe',
  passwordSubmit: 'Ouvrir l’enquête',
  passwordWrong: 'Ce mot de passe est incorrect.',
  passwordLater: (count) => `Trop de tentatives. Veuillez réessayer dans ${seconds(count)}.`,

  thankYou: { title: 'Merci', text: 'Vos réponses ont été envoyées.' },
  disqualified: { title: 'Merci de votre intérêt', text: 'Cette enquête s’adresse à d’autres personnes.' },
  notFound: { title: 'Cette enquête n’existe pas', text: 'Veuillez vérifier l’adresse.' },
  notOpenYet: { title: 'Cette enquête n’est pas encore ouverte', text: 'Veuillez revenir plus tard.' },
  closed: { title: 'Cette enquête est terminée', text: 'Elle n’accepte plus de réponses.' },
  full: { title: 'Cette enquête est complète', text: 'Elle a déjà reçu toutes les réponses nécessaires.' },
  linkNeeded: {
    title: 'Il vous faut un lien personnel',
    text: 'Veuillez ouvrir l’enquête avec le lien complet que vous avez reçu.',
  },
  linkExpired: { title: 'Ce lien a expiré', text: 'Veuillez en demander un autre.' },
  linkUsed: { title: 'Ce lien a déjà été utilisé', text: 'Il n’accepte plus de réponses.' },
  alreadySubmitted: { title: 'Vos réponses ont déjà été envoyées', text: 'Vous pouvez fermer cette page.' },
  elsewhere: {
    title: 'Continuez sur l’autre appareil',
    text: 'Vous avez commencé cette enquête sur un autre appareil ou dans un autre navigateur. Vous ne pouvez la continuer que là.',
  },
  changed: {
    title: 'Vos réponses ont été modifiées sur un autre appareil',
    text: 'Ces réponses sont différentes. Si vous avez répondu sur les deux appareils, choisissez la réponse qui compte.',
  },
  onOtherDevice: 'Sur l’autre appareil :',
  onThisDevice: 'Sur cet appareil :',
  noAnswer: 'pas de réponse',
  failed: { title: 'L’enquête ne peut pas être affichée', text: 'Veuillez réessayer plus tard.' },
  requestId: (id) => `Si vous signalez ce problème, indiquez la requête ${id}.`,

  hints: {
    length: (max) => `${characters(max)} au maximum`,
    selections: (min, max) =>
      min > 0 && max !== undefined
        ? `Choix attendus\u00a0: ${min === max ? min : `de ${min} à ${max}`}`
        : max === undefined
          ? `Choix attendus\u00a0: au moins ${min}`
          : `Choix attendus\u00a0: ${max} au maximum`,
    range: (min, max) => `De ${min} à ${max}`,
    atLeast: (min) => `À partir de ${min}`,
    atMost: (max) => `Jusqu’à ${max}`,
    rows: (count) => `Lignes à remplir\u00a0: au moins ${count}`,
    files: (max) => `${max} fichiers au maximum`,
  },
  problems: {
    required: 'Veuillez répondre à cette question.',
    format: {
      email: 'Saisissez une adresse e-mail, comme nom@example.com.',
      url: 'Saisissez une adresse qui commence par https:// ou http://.',
      phone: 'Saisissez un numéro de téléphone de 5 à 15 chiffres.',
      number: 'Saisissez un nombre, sans séparateur de milliers.',
      integer: 'Saisissez un nombre entier.',
      date: 'Saisissez une date complète.',
      time: 'Saisissez une heure complète.',
    },
    pattern: 'Ce texte n’a pas le format attendu.',
    otherText: 'Veuillez saisir votre propre réponse.',
    exclusive: 'Ce choix ne peut pas être combiné avec d’autres.',
    tooComplex: 'Veuillez raccourcir ce texte.',
    tooShort: (min) => `Saisissez au moins ${characters(min)}.`,
    invalid: 'Cette réponse n’est pas acceptée.',
  },
};
