using System.Globalization;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Options;

/// <summary>Reads 50k, steps (10k:30s,20k:30s,40k) and ramps (1k..50k:2m); 0 is the closed loop.</summary>
internal static class RateSyntax
{
    private static readonly ValueSyntax<double> Rate = Syntax.Rate(100_000_000, "operations per second");
    private static readonly ValueSyntax<TimeSpan> Length = Syntax.Duration(TimeSpan.FromMilliseconds(1));

    public static ValueSyntax<IReadOnlyList<RateStep>> Create() => new("RATE|FROM..TO:DURATION,…", Read, Write)
    { Limits = Rate.Limits };

    private static ValueReading<IReadOnlyList<RateStep>> Read(string text)
    {
        var texts = text.Split(',', StringSplitOptions.TrimEntries);
        var steps = new List<RateStep>();
        for (var i = 0; i < texts.Length; i++)
        {
            var step = ReadStep(texts[i], isLast: i == texts.Length - 1, out var problem);
            if (step is null)
                return ValueReading.Wrong<IReadOnlyList<RateStep>>(problem);
            steps.Add(step);
        }

        if (steps is [{ To: 0, From: 0 }])
            return ValueReading.Of<IReadOnlyList<RateStep>>([]);
        return steps[^1].To > 0
            ? ValueReading.Of<IReadOnlyList<RateStep>>(steps)
            : ValueReading.Wrong<IReadOnlyList<RateStep>>("the last rate must be above 0, or the run would never end");
    }

    /// <returns>Null where there is a problem, which then is told.</returns>
    private static RateStep? ReadStep(string text, bool isLast, out string problem)
    {
        problem = string.Empty;
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        var rates = (colon < 0 ? text : text[..colon]).Split("..");
        var from = Rate.Read(rates[0]);
        var to = rates.Length > 1 ? Rate.Read(rates[1]) : from;
        var length = colon < 0 ? ValueReading.Of(TimeSpan.Zero) : Length.Read(text[(colon + 1)..]);
        if (rates.Length > 2 || (from.Problem ?? to.Problem) is not null)
            problem = from.Problem ?? to.Problem ?? "a ramp has two ends: 1k..50k:2m";
        else if (colon < 0 && (!isLast || rates.Length > 1))
            problem = $"{text}: how long it lasts is needed, for instance {text}:30s";
        else if (length.Problem is { } wrong)
            problem = wrong;
        else
            return new RateStep(from.Value, to.Value, length.Value);
        return null;
    }

    private static string? Write(IReadOnlyList<RateStep> steps) => steps.Count == 0
        ? null
        : string.Join(',', steps.Select(Write));

    private static string Write(RateStep step)
    {
        var rate = step.From == step.To ? Rate.Write(step.From) : $"{Rate.Write(step.From)}..{Rate.Write(step.To)}";
        return step.Duration == TimeSpan.Zero ? rate! : $"{rate}:{Length.Write(step.Duration)}";
    }
}

/// <summary>Reads <c>uniform</c>, <c>poisson</c>, <c>burst</c> or <c>burst:100</c>.</summary>
internal static class ArrivalSyntax
{
    private static readonly ValueSyntax<int> Size = Syntax.SmallCount(1, 1_000_000, "operations");

    public static ValueSyntax<ArrivalChoice> Create() => new("uniform|poisson|burst:COUNT", Read, Write);

    private static ValueReading<ArrivalChoice> Read(string text)
    {
        switch (text)
        {
            case "uniform":
                return ValueReading.Of(ArrivalChoice.Uniform);
            case "poisson":
                return ValueReading.Of(new ArrivalChoice(ArrivalKind.Poisson));
            case "burst":
                return ValueReading.Of(new ArrivalChoice(ArrivalKind.Burst));
        }

        if (!text.StartsWith("burst:", StringComparison.Ordinal))
            return ValueReading.Wrong<ArrivalChoice>("one of uniform, poisson, burst, burst:COUNT is needed");
        var size = Size.Read(text[6..]);
        return size.Problem is { } problem
            ? ValueReading.Wrong<ArrivalChoice>(problem)
            : ValueReading.Of(new ArrivalChoice(ArrivalKind.Burst, size.Value));
    }

    private static string Write(ArrivalChoice choice) => choice.Kind switch
    {
        ArrivalKind.Burst => string.Create(CultureInfo.InvariantCulture, $"burst:{choice.BurstSize}"),
        _ => choice.Kind.ToString().ToLowerInvariant(),
    };
}
