// Imported before tests whose number of cases depends on it.
process.env['THOROUGH_TESTS'] = 'yes';
