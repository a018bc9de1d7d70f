using BenchmarkDotNet.Attributes;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Micro.Histograms;

/// <summary>HdrHistogram's V2 encoding of an interval with 100,000 values, there and back.</summary>
[MemoryDiagnoser]
public class HistogramEncoding
{
    private readonly LatencyHistogram _histogram = LatencyHistogram.ForLatency();
    private readonly HistogramEncoder _encoder = new();
    private readonly byte[] _plain;
    private readonly byte[] _compressed;

    public HistogramEncoding()
    {
        foreach (var latency in SampleLatencies.Take(100_000))
            _histogram.Record(latency);
        _plain = _encoder.Encode(_histogram).ToArray();
        _compressed = _encoder.EncodeCompressed(_histogram).ToArray();
    }

    [Benchmark]
    [BenchmarkCategory(Category.Cold)]
    public int Encode() => _encoder.Encode(_histogram).Length;

    [Benchmark]
    [BenchmarkCategory(Category.Cold)]
    public int EncodeCompressed() => _encoder.EncodeCompressed(_histogram).Length;

    [Benchmark]
    [BenchmarkCategory(Category.Cold)]
    public LatencyHistogram Decode() => HistogramDecoder.Decode(_plain);

    [Benchmark]
    [BenchmarkCategory(Category.Cold)]
    public LatencyHistogram DecodeCompressed() => HistogramDecoder.Decode(_compressed);
}
