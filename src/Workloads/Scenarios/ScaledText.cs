using System.Globalization;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Scenarios;

/// <summary>A phase's options as they took effect: what a scale changes is told as it is.</summary>
internal static class ScaledText
{
    private static readonly ValueSyntax<TimeSpan> Duration = Syntax.Duration();

    public static IReadOnlyDictionary<string, string> Of(IReadOnlyDictionary<string, string> given, PhasePlan plan)
    {
        var texts = new Dictionary<string, string>(given) { ["records"] = Text(plan.Records) };
        texts.Remove("total-size");
        if (!plan.IsLoad && plan.Operations is { } operations)
            texts["operations"] = Text(operations);
        if (plan.Duration is { } duration)
            texts["duration"] = Duration.Write(duration)!;
        if (texts.ContainsKey("warmup"))
            texts["warmup"] = Duration.Write(plan.WarmUp)!;
        return texts;
    }

    private static string Text(long count) => count.ToString(CultureInfo.InvariantCulture);
}
