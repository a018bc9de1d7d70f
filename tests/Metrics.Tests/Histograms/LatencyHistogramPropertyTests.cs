using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public class LatencyHistogramPropertyTests
{
    [Fact]
    public void Merge_OfTwoHosts_EqualsOneHostThatSawEverything() =>
        Prop.ForAll(HistogramShape.Any(), shape =>
        {
            var first = shape.Filled(shape.Values.Where((_, i) => i % 2 == 0));
            var second = shape.Filled(shape.Values.Where((_, i) => i % 2 == 1));
            first.Add(second);
            return first.Equals(shape.Filled());
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Merge_IntoMoreDigits_PutsEveryValueWhereItsLowestEquivalentIs() =>
        Prop.ForAll(HistogramShape.Any(), shape =>
        {
            var coarse = shape.Filled();
            var fine = new LatencyHistogram(1, 1L << 62, 4);
            var expected = new LatencyHistogram(1, 1L << 62, 4);
            fine.Add(coarse);
            foreach (var value in shape.Values.Where(value => value >= 0 && value <= coarse.HighestRecordable))
                expected.Record(coarse.LowestEquivalent(value));
            return fine.Counts.SequenceEqual(expected.Counts) && fine.BelowRange == coarse.BelowRange;
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Subtract_OfWhatWasAdded_GivesBackWhatWas() =>
        Prop.ForAll(HistogramShape.Any(), shape =>
        {
            var histogram = shape.Filled(shape.Values.Take(shape.Values.Length / 2));
            var before = histogram.Copy();
            var added = shape.Filled();
            histogram.Add(added);
            histogram.Subtract(added);
            return histogram.Equals(before);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void EveryValue_IsCountedOnceAndKeepsItsDigits() =>
        Prop.ForAll(HistogramShape.Any(), shape =>
        {
            var histogram = shape.Filled();
            var inRange = shape.Values.Where(value => value >= 0 && value <= histogram.HighestRecordable).ToList();
            return histogram.TotalCount + histogram.AboveRange + histogram.BelowRange == shape.Values.Length
                && histogram.TotalCount == inRange.Count
                && histogram.BelowRange == shape.Values.Count(value => value < 0)
                && inRange.TrueForAll(value => IsKept(histogram, value));
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void ValueAtPercentile_IsTheEquivalentOfTheSortedValue() =>
        Prop.ForAll(HistogramShape.Any(), shape =>
        {
            var histogram = shape.Filled();
            var inRange = shape.Values.Where(value => value >= 0 && value <= histogram.HighestRecordable);
            var sorted = inRange.Order().ToList();
            return sorted.Count == 0 || new[] { 1, 25, 50, 75, 99, 100 }.All(percentile =>
            {
                var rank = Math.Max(1, ((sorted.Count * percentile) + 99) / 100);
                return histogram.ValueAtPercentile(percentile) == histogram.HighestEquivalent(sorted[rank - 1]);
            });
        }).QuickCheckThrowOnFailure();

    private static bool IsKept(LatencyHistogram histogram, long value)
    {
        var lowest = histogram.LowestEquivalent(value);
        var highest = histogram.HighestEquivalent(value);
        var largestError = Math.Max(value * Math.Pow(10, -histogram.SignificantDigits), histogram.LowestDiscernible);
        return lowest <= value && value <= highest && highest - lowest <= largestError && histogram.CountAt(value) > 0;
    }
}
