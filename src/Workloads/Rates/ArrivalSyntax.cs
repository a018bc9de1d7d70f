using System.Globalization;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Rates;

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

internal sealed record ArrivalChoice(ArrivalKind Kind, int BurstSize = 10)
{
    public static ArrivalChoice Uniform { get; } = new(ArrivalKind.Uniform);
}

internal enum ArrivalKind
{
    Uniform,

    /// <summary>Exponential times between operations: independent users, with the bursts that they make.</summary>
    Poisson,

    /// <summary>Several at once, then a pause that makes up for it.</summary>
    Burst,
}
