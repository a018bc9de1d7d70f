using System.Globalization;

namespace RedisLatency.Producer.OneWay;

/// <summary>What the series of one consumer are called in the interval log.</summary>
internal sealed class OneWayTags(Func<string, string> tagOf, int pair)
{
    public OneWayDirectionTags Forward { get; } = new(
        name => tagOf(Numbered(name, pair)), OneWayMetrics.Forward.Name, OneWayMetrics.ForwardFromIntended.Name);

    public OneWayDirectionTags Back { get; } = new(
        name => tagOf(Numbered(name, pair)), OneWayMetrics.Back.Name, OneWayMetrics.BackFromIntended.Name);

    // The first consumer's have no number: nearly always it is the only one.
    private static string Numbered(string name, int pair) =>
        pair == 0 ? name : string.Create(CultureInfo.InvariantCulture, $"{pair + 1}.{name}");
}
