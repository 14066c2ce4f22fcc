document.title = 'Survey';
