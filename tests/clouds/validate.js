// Judges templates of CloudFormation as CloudFormation would: validate.js PARAMETERS TEMPLATE…
// Prints a line for each template, in their order: a JSON list of what is wrong with it.
const fs = require("fs");
const { CelEngine, TemplateFile } = require("@aws/cloudformation-validate");

const [parameters, ...templates] = process.argv.slice(2);
const parameterOverrides = JSON.parse(fs.readFileSync(parameters)).Parameters;
const engine = new CelEngine();
for (const template of templates) {
    const report = engine.validateStandard(new TemplateFile(template), { severityLevel: "WARN", parameterOverrides });
    const wrong = report.diagnostics.map((one) => `${one.ruleId}, line ${one.startLine}: ${one.message}`);
    console.log(JSON.stringify(report.status === "OK" ? wrong : [report.status, ...wrong]));
}
