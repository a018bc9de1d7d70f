using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public class HistogramRoundTripTests
{
    [Fact]
    public void Decode_OfAnyEncodedHistogram_EqualsItWithinTheRange() =>
        Prop.ForAll(HistogramShape.Any(), shape =>
        {
            var encoder = new HistogramEncoder();
            var histogram = shape.Filled(shape.Values.Where(value => value >= 0));
            var inRange = shape.Filled(shape.Values.Where(value => value >= 0 && value <= histogram.HighestRecordable));

            return HistogramDecoder.Decode(encoder.Encode(histogram)).Equals(inRange)
                && HistogramDecoder.Decode(encoder.EncodeCompressed(histogram)).Equals(inRange);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Encode_WithOneEncoder_DoesNotRememberTheHistogramBefore()
    {
        var encoder = new HistogramEncoder();
        var small = LatencyHistogram.ForLatency();
        small.Record(7);
        encoder.EncodeCompressed(JavaVectors.Named("skewed").Filled());

        HistogramDecoder.Decode(encoder.EncodeCompressed(small)).ShouldBe(small);
    }

    [Fact]
    public void EncodeCompressed_AfterTheFirst_AllocatesOnlyTheCompressor()
    {
        var encoder = new HistogramEncoder();
        var histogram = JavaVectors.Named("skewed").Filled();
        encoder.EncodeCompressed(histogram);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 10; i++)
            encoder.Encode(histogram);
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);

        before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 10; i++)
            encoder.EncodeCompressed(histogram);
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(10 * 1_024);
    }
}
