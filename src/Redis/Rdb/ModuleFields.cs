namespace RedisLatency.Redis.Rdb;

/// <summary>What modules wrote, which can only be passed over.</summary>
internal static class ModuleFields
{
    /// <summary>A module's own fields, which say themselves what they are, up to their end.</summary>
    public static void SkipModuleFields(this RdbInput input)
    {
        while (true)
        {
            switch (input.ReadLength())
            {
                case 0:
                    return;
                case 1 or 2:
                    input.ReadLength();
                    break;
                case 3:
                    input.Skip(sizeof(float));
                    break;
                case 4:
                    input.Skip(sizeof(double));
                    break;
                case 5:
                    input.SkipString();
                    break;
                case var other:
                    throw input.Fault($"a module's field of kind {other}");
            }
        }
    }

    /// <summary>What modules attached to a key: so many classes, each with a number and its fields.</summary>
    public static void SkipKeyMetadata(this RdbInput input)
    {
        for (var classes = input.ReadLength(); classes > 0; classes--)
        {
            input.Skip(sizeof(uint));
            input.SkipModuleFields();
        }
    }
}
