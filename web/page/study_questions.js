// The form of a study's questions about the participant. What is sent is what the server takes: numbers
// within their range, texts without blanks at their ends, and nothing for what was left out.

const NUMBER = /^-?\d+([.,]\d+)?$/;

export class QuestionForm {
  #rows = [];

  // `text(name, places)`: the study's texts. `send(answers)`: is called when all of them are allowed.
  constructor(form, text, send) {
    Object.assign(this, { form, text, send });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  // `questions` as the server sends them; once they are shown, what was typed stays.
  show(questions) {
    this.form.hidden = false;
    if (this.#rows.length > 0) return;
    this.#rows = questions.map((question, index) => this.#row(question, index));
    const button = document.createElement("button");
    button.className = "strong";
    button.dataset.disabled = false; // as the other buttons: not while the server is asked
    button.textContent = this.text("questions.next");
    this.form.replaceChildren(...this.#rows.map((row) => row.element), button);
  }

  #row(question, index) {
    const element = document.createElement("div"), label = document.createElement("label");
    const field = this.#field(question), hint = document.createElement("p");
    element.className = "question";
    field.id = `answer-${index}`;
    hint.id = `hint-${index}`;
    label.htmlFor = field.id;
    label.textContent = question.text + (question.required ? "" : ` ${this.text("questions.optional")}`);
    field.setAttribute("aria-describedby", hint.id);
    field.setAttribute("aria-required", question.required);
    element.append(label, field, hint);
    const row = { question, element, field, hint };
    this.#mark(row, false);
    return row;
  }

  #field({ kind, options, max_length }) {
    const field = document.createElement(kind === "choice" ? "select" : "input");
    if (kind === "choice") {
      field.append(...["", ...options].map((option) => new Option(option, option)));
      return field;
    }
    field.autocomplete = "off";
    if (kind === "text") field.maxLength = max_length;
    else field.inputMode = "decimal";
    return field;
  }

  // The hint of a number is always there; that of the others where an answer is missing.
  #mark({ question, field, hint }, wrong) {
    field.setAttribute("aria-invalid", wrong);
    hint.classList.toggle("wrong", wrong);
    if (question.kind === "number") hint.textContent = this.text("questions.number", question);
    else hint.textContent = wrong ? this.text("questions.missing") : "";
  }

  // The answer of a row; undefined where it is left out, null where that or what was typed is not allowed.
  #answer({ question, field }) {
    const typed = field.value.trim();
    if (!typed) return question.required ? null : undefined;
    if (question.kind !== "number") return typed;
    const number = Number(typed.replace(",", "."));
    return NUMBER.test(typed) && number >= question.min && number <= question.max ? number : null;
  }

  #submit() {
    const answers = {};
    let wrong = null;
    for (const row of this.#rows) {
      const answer = this.#answer(row);
      this.#mark(row, answer === null);
      if (answer === null) wrong ??= row;
      else if (answer !== undefined) answers[row.question.name] = answer;
    }
    if (wrong) wrong.field.focus();
    else this.send(answers);
  }
}
