using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>Vectors made with the Java HdrHistogram 2.1.12; range 1 to 3,600,000,000,000.</summary>
public static class JavaVectors
{
    public static readonly JavaVector[] All =
    [
        new(
            "empty", 3, _ => { },
            0, 0, 0, 0.0, 0.0,
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            "338316458fe28d6e2ddcebf5d4319e8a1463ef88991fedbf8f2b97795bf885b1"),
        new(
            "one", 3, histogram => histogram.Record(1_000_000),
            1, 999_936, 1_000_447, 1000192.0, 0.0,
            [
                999_936, 1_000_447, 1_000_447, 1_000_447, 1_000_447,
                1_000_447, 1_000_447, 1_000_447, 1_000_447, 1_000_447,
            ],
            "7c315bfe6b4cc59a5019260ba9ee67e6a2be865343ab4344454bdcbfa4c19d36"),
        new(
            "ramp", 3, Ramp,
            10_000, 1_000, 10_002_431, 5000504.7578, 2886751.6471462087,
            [
                1_000, 2_500_607, 5_001_215, 9_003_007, 9_502_719,
                9_904_127, 9_994_239, 10_002_431, 10_002_431, 10_002_431,
            ],
            "7005da3f206e1b0ef355744ec5ac5085837dde136a7d13b8f90a26b4b727ee53"),
        new(
            "skewed", 3, Skewed,
            100_000, 49_984, 10_051_583, 3393943.8248, 2993312.504869415,
            [
                49_984, 674_303, 2_547_711, 8_167_423, 9_101_311,
                9_854_975, 10_035_199, 10_051_583, 10_051_583, 10_051_583,
            ],
            "cbaf94041c6be385de3a35ef81ae4ee04b14f3e2fa4b110f5a2214b979b95cc3"),
        new(
            "edges", 3, Edges,
            5_000_000_006, 1, 3_601_330_077_695, 2161.1538001588156, 8.81879095816925e7,
            [1, 1, 1, 1, 1, 1, 1, 1, 1, 3_601_330_077_695],
            "443b007cb8fa4f21bd1ec977f831f0c938fa4652353a282c9fe45e053be0e710"),
        new(
            "two-digits", 2, Squares,
            1_000, 1_000, 999_423, 333840.766, 297867.16977978166,
            [1_000, 63_231, 250_879, 811_007, 905_215, 983_039, 999_423, 999_423, 999_423, 999_423],
            "167cb5d93a11d970719813142bdfcedacec28f078c5740f6b51387349b43890f"),
        new(
            "expected-interval", 3, ExpectedInterval,
            1_099, 999_936, 1_000_341_503, 4.6860283574158326e7, 1.6909308310867342e8,
            [
                999_936, 1_000_447, 1_000_447, 1_000_447, 460_062_719,
                900_202_495, 990_380_031, 1_000_341_503, 1_000_341_503, 1_000_341_503,
            ],
            "20583df721731a1b20de500bd39ce7fb02361491f5970166692775e64fb2c41d"),
    ];

    public static IEnumerable<string> Names => All.Select(vector => vector.Name);

    public static JavaVector Named(string name) => All.Single(vector => vector.Name == name);

    private static void Ramp(LatencyHistogram histogram)
    {
        for (var i = 1L; i <= 10_000; i++)
            histogram.Record(i * 1_000);
    }

    private static void Skewed(LatencyHistogram histogram)
    {
        var state = 42UL;
        for (var i = 0; i < 100_000; i++)
        {
            state = unchecked((state * 6364136223846793005) + 1442695040888963407);
            var value = (long)((state >> 33) % 1_000_000);
            histogram.Record(50_000 + (value * value / 100_000));
        }
    }

    private static void Edges(LatencyHistogram histogram)
    {
        histogram.Record(1, 5_000_000_000);
        histogram.Record(3_600_000_000_000, 3);
        histogram.Record(2_047);
        histogram.Record(2_048);
        histogram.Record(2_049);
    }

    private static void Squares(LatencyHistogram histogram)
    {
        for (var i = 0L; i < 1_000; i++)
            histogram.Record(1_000 + (i * i));
    }

    private static void ExpectedInterval(LatencyHistogram histogram)
    {
        histogram.Record(1_000_000, 999);
        for (var missed = 1_000_000_000; missed > 0; missed -= 10_000_000)
            histogram.Record(missed);
    }
}
