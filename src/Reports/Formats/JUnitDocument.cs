using System.Xml.Linq;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Formats;

/// <summary>Conditions as the JUnit XML that CI systems read; what cannot be told is an error, no failure.</summary>
public static class JUnitDocument
{
    public static string Of(string suite, IReadOnlyCollection<JUnitCase> cases) => new XDocument(new XElement(
        "testsuite",
        new XAttribute("name", suite),
        new XAttribute("tests", cases.Count),
        new XAttribute("failures", cases.Count(one => one.Holds == false)),
        new XAttribute("errors", cases.Count(one => one.Holds is null)),
        cases.Select(Element))).ToString();

    private static XElement Element(JUnitCase one) => new(
        "testcase",
        new XAttribute("classname", PlainText.Clean(one.Subject)),
        new XAttribute("name", PlainText.Clean(one.Name)),
        one.Holds is true
            ? null
            : new XElement(
                one.Holds is false ? "failure" : "error", new XAttribute("message", PlainText.Clean(one.Message))));
}
