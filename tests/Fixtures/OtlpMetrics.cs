using System.Text;

namespace RedisLatency.Fixtures;

/// <summary>One push: ExportMetricsServiceRequest of opentelemetry-proto, as far as services send it.</summary>
/// <param name="Path">Where it was posted.</param>
/// <param name="Headers">The request's headers.</param>
/// <param name="Resource">Who pushed.</param>
/// <param name="Points">All that it has.</param>
public sealed record OtlpMetrics(
    string Path,
    IReadOnlyDictionary<string, string> Headers,
    IReadOnlyDictionary<string, string> Resource,
    IReadOnlyList<OtlpPoint> Points)
{
    /// <summary>The one point of a name whose attributes hold these.</summary>
    public OtlpPoint Point(string name, params (string Key, string Value)[] attributes)
    {
        var found = Points.Where(point => point.Name == name
            && attributes.All(one => point.Attributes.GetValueOrDefault(one.Key) == one.Value)).ToList();
        return found is [var only] ? only : throw new FormatException($"{found.Count} points are {name}");
    }

    internal static OtlpMetrics Read(string path, IReadOnlyDictionary<string, string> headers, byte[] body)
    {
        var resource = new Dictionary<string, string>();
        var points = new List<OtlpPoint>();
        foreach (var (_, resourceMetrics) in ProtobufFields.Of(body).Where(field => field.Number == 1))
        {
            foreach (var (number, part) in ProtobufFields.Of(resourceMetrics))
            {
                if (number == 1)
                    AddAttributes(resource, ProtobufFields.Of(part).Where(field => field.Number == 1));
                else if (number == 2)
                    points.AddRange(ProtobufFields.Of(part).Where(field => field.Number == 2).SelectMany(PointsOf));
            }
        }

        return new(path, headers, resource, points);
    }

    private static IEnumerable<OtlpPoint> PointsOf((int Number, byte[] Bytes) metric)
    {
        var fields = ProtobufFields.Of(metric.Bytes).ToList();
        var name = Encoding.UTF8.GetString(fields.Single(field => field.Number == 1).Bytes);
        var unit = fields.Where(field => field.Number == 3).Select(field => Encoding.UTF8.GetString(field.Bytes))
            .SingleOrDefault("");
        var kind = fields.Single(field => field.Number is 5 or 7 or 9 or 10);
        foreach (var point in ProtobufFields.Of(kind.Bytes).Where(field => field.Number == 1))
        {
            var parts = ProtobufFields.Of(point.Bytes).ToList();
            var attributes = new Dictionary<string, string>();
            AddAttributes(attributes, parts.Where(field => field.Number == (kind.Number == 10 ? 1 : 7)));
            yield return kind.Number == 10
                ? new OtlpPoint(name, unit, "exponential", attributes, BitConverter.ToInt64(Of(parts, 4)))
                {
                    Sum = BitConverter.ToDouble(Of(parts, 5)),
                    Scale = parts.Exists(field => field.Number == 6) ? ProtobufFields.SignedOf(Of(parts, 6)) : 0,
                    ZeroCount = parts.Exists(field => field.Number == 7) ? BitConverter.ToInt64(Of(parts, 7)) : 0,
                    Offset = BucketsOf(parts, 1) is [var offset, ..] ? ProtobufFields.SignedOf(offset) : 0,
                    Buckets = [.. BucketsOf(parts, 2).SelectMany(ProtobufFields.VarintsOf)],
                }
                : new OtlpPoint(
                    name, unit, kind.Number == 5 ? "gauge" : kind.Number == 7 ? "sum" : "explicit", attributes,
                    parts.Exists(field => field.Number == 6)
                        ? BitConverter.ToInt64(Of(parts, 6))
                        : BitConverter.ToDouble(Of(parts, 4)));
        }
    }

    private static List<byte[]> BucketsOf(List<(int Number, byte[] Bytes)> point, int field) =>
        [.. point.Where(part => part.Number == 8).SelectMany(part => ProtobufFields.Of(part.Bytes))
            .Where(part => part.Number == field).Select(part => part.Bytes)];

    private static byte[] Of(List<(int Number, byte[] Bytes)> fields, int number) =>
        fields.Single(field => field.Number == number).Bytes;

    private static void AddAttributes(Dictionary<string, string> known, IEnumerable<(int Number, byte[] Bytes)> fields)
    {
        foreach (var field in fields)
        {
            var parts = ProtobufFields.Of(field.Bytes).ToList();
            var value = ProtobufFields.Of(Of(parts, 2)).Single();
            known.Add(Encoding.UTF8.GetString(Of(parts, 1)), Encoding.UTF8.GetString(value.Bytes));
        }
    }
}

/// <summary>A point of a metric; of a histogram <see cref="Value"/> is its count.</summary>
public sealed record OtlpPoint(
    string Name, string Unit, string Kind, IReadOnlyDictionary<string, string> Attributes, double Value)
{
    public double Sum { get; init; }
    public int Scale { get; init; }
    public long ZeroCount { get; init; }
    public int Offset { get; init; }
    public IReadOnlyList<long> Buckets { get; init; } = [];

    /// <summary>The bounds of the bucket that a percentile lies in, in the metric's unit.</summary>
    public (double Lower, double Upper) BucketOf(double percentile)
    {
        var rank = Math.Ceiling(Value * percentile / 100);
        double upTo = ZeroCount;
        for (var i = 0; i < Buckets.Count; i++)
        {
            upTo += Buckets[i];
            if (upTo >= rank)
                return (BoundOf(Offset + i), BoundOf(Offset + i + 1));
        }

        return (0, 0);
    }

    private double BoundOf(int index) => Math.Pow(2, index * Math.Pow(2, -Scale));
}

/// <summary>The fields of a protobuf message, each with its bytes as they lie there; of a varint its digits.</summary>
internal static class ProtobufFields
{
    public static IEnumerable<(int Number, byte[] Bytes)> Of(byte[] message)
    {
        for (var at = 0; at < message.Length;)
        {
            var key = VarintAt(message, ref at);
            var start = at;
            var length = (key & 7) switch
            {
                0 => LengthOfVarint(message, at),
                1 => 8,
                2 => (int)VarintAt(message, ref start),
                5 => 4,
                var type => throw new FormatException($"no wire type of today: {type}"),
            };
            yield return ((int)(key >> 3), message[start..(start + length)]);
            at = start + length;
        }
    }

    public static int SignedOf(byte[] varint)
    {
        var at = 0;
        var value = VarintAt(varint, ref at);
        return (int)(value >> 1) ^ -(int)(value & 1);
    }

    public static IEnumerable<long> VarintsOf(byte[] packed)
    {
        for (var at = 0; at < packed.Length;)
            yield return (long)VarintAt(packed, ref at);
    }

    private static int LengthOfVarint(byte[] message, int at)
    {
        var end = at;
        _ = VarintAt(message, ref end);
        return end - at;
    }

    private static ulong VarintAt(byte[] message, ref int at)
    {
        ulong value = 0;
        for (var shift = 0; ; shift += 7)
        {
            var next = message[at++];
            value |= (ulong)(next & 0x7F) << shift;
            if (next < 0x80)
                return value;
        }
    }
}
