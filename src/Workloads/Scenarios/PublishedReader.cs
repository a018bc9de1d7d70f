using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Scenarios;

/// <summary>Reads <c>published</c>: the figures that others had for a phase, or for one value of its sweep.</summary>
internal static class PublishedReader
{
    public static IReadOnlyList<PublishedFigure> Read(Dictionary<string, ScenarioElement> fields, OptionSet swept)
    {
        if (!fields.TryGetValue("published", out var list))
            return [];
        var texts = swept.ToTexts();
        var figures = new List<PublishedFigure>();
        foreach (var item in list.Items())
        {
            var figure = item.Fields(ScenarioForm.OfPublished, []);
            var isMeant = true;
            if (figure.TryGetValue("when", out var when))
            {
                foreach (var (name, value) in when.Fields(ScenarioForm.Swept, []))
                {
                    if (!texts.TryGetValue(name, out var text))
                        value.Note("nothing sweeps over it");
                    isMeant &= value.OptionText() == text;
                }
            }

            var read = new PublishedFigure
            {
                Category = Text(figure, "category"),
                Operation = Text(figure, "operation"),
                Qps = Number(figure, "qps"),
                AverageUs = Number(figure, "averageUs"),
                P99Us = Number(figure, "p99Us"),
            };
            if (read is { Qps: null, AverageUs: null, P99Us: null })
                item.Note("qps, averageUs or p99Us is needed");
            if (isMeant)
                figures.Add(read);
        }

        return figures;
    }

    private static string? Text(Dictionary<string, ScenarioElement> fields, string name) =>
        fields.TryGetValue(name, out var element) ? element.Text() : null;

    private static double? Number(Dictionary<string, ScenarioElement> fields, string name) =>
        fields.TryGetValue(name, out var element) ? element.Number() : null;
}
