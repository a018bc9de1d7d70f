using System.Security.Cryptography;
using System.Text;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public class HistogramEncodingVectorTests
{
    public static TheoryData<string> Names => [.. JavaVectors.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Encode_OfTheSameValues_IsByteForByteWhatJavaWrites(string name)
    {
        var vector = JavaVectors.Named(name);

        var encoded = new HistogramEncoder().Encode(vector.Filled());

        Convert.ToHexStringLower(SHA256.HashData(encoded)).ShouldBe(vector.EncodingSha256);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Decode_OfTheReferencesEncodings_EqualsTheSameValuesRecorded(string name)
    {
        var (plain, compressed) = SharedVectors.Encodings(name);
        var filled = JavaVectors.Named(name).Filled();

        HistogramDecoder.Decode(plain).ShouldBe(filled);
        HistogramDecoder.Decode(compressed).ShouldBe(filled);
        new HistogramEncoder().Encode(filled).ToArray().ShouldBe(plain);
    }

    [Theory]
    [InlineData(
        "empty",
        "HISTFAAAACF4nJNpmSzMwMDAyAABzFAayGd2M9ixgMH+A1QEAFKmBEw=")]
    [InlineData(
        "one",
        "HISTFAAAACV4nJNpmSzMwMDAwgABzFCaEch0M9ixgMH+A0Tg4DpGJgBlCwXB")]
    [InlineData(
        "edges",
        "HISTFAAAAC94nJNpmSzMwMDAxwABzFCaEch0M9ixgMH+A1Sk4cT6Bao/5ZlYpr5iZgMAubYJuw==")]
    [InlineData(
        "expected-interval",
        "HISTFAAAAGV4nJNpmSzMwMDwggECmKE0I5DpZrBjAYP9B4jAwXWM5/gPmzD95Wc6zMm0nY3pPgvTQxamdhamtUxM65mgJIRx"
        + "nZFpKgxNx83oZGTyZvJEgt442Kg8WyZVJmWcELcccboAFhkouA==")]
    public void DecodeBase64_OfWhatJavaCompressed_EqualsTheSameValuesRecorded(string name, string base64) =>
        HistogramDecoder.DecodeBase64(Encoding.UTF8.GetBytes(base64)).ShouldBe(JavaVectors.Named(name).Filled());
}
