using System.Globalization;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Distributions;

/// <summary>A number that a distribution takes, and in words which ones; without a default the keys decide.</summary>
internal sealed record DistributionParameter(double? Default, Func<double, bool> IsAllowed, string Wanted)
{
    private static readonly ValueSyntax<double> Number = Syntax.Number(double.MinValue, double.MaxValue);

    public ValueReading<double> Read(string text) => Number.Read(text) is { Problem: null } number
        && IsAllowed(number.Value)
            ? number
            : ValueReading.Wrong<double>($"'{text}' is not {Wanted}");

    /// <summary>Writes a value so that it can be read again.</summary>
    public static string Write(double value) => value.ToString(CultureInfo.InvariantCulture);
}
