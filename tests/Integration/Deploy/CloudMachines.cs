using System.Text;
using System.Text.Json.Nodes;

namespace RedisLatency.Integration.Deploy;

/// <summary>The machines that <c>deploy/azure</c> and <c>deploy/aws</c> make of their samples.</summary>
internal static class CloudMachines
{
    /// <summary>The password that is planted where Azure's parameters take it from.</summary>
    public const string Canary = "canary-2c5a-of-clouds";

    private static readonly Lazy<Task<JsonNode>> Predicted = new(Predict);

    public static TheoryData<string, string> All => new()
    {
        { "azure", "consumer" },
        { "azure", "producer" },
        { "aws", "consumer" },
        { "aws", "producer" },
    };

    /// <summary>What Azure makes of the sample.</summary>
    public static Task<JsonNode> InAzure => Predicted.Value;

    /// <summary>The properties of a resource that Azure makes.</summary>
    public static async Task<JsonNode> OfAzure(string type, string name) =>
        (await InAzure)["predictedResources"]!.AsArray()
            .Single(one => one!["type"]!.ToString() == type && one["name"]!.ToString() == name)!["properties"]!;

    public static async Task<CloudMachine> Of(string cloud, string role)
    {
        var text = cloud == "azure"
            ? (await OfAzure("Microsoft.Compute/virtualMachines", role))["osProfile"]!["customData"]!.ToString()
            : InAws(role).Resolve(InAws(role).Property("Machine", "Properties", "UserData"));
        return new CloudMachine(Encoding.UTF8.GetString(Convert.FromBase64String(text)));
    }

    /// <summary>The stack that Amazon makes of a sample.</summary>
    public static CloudFormationTemplate InAws(string role) =>
        new(CloudFormationTemplate.Text, CloudFormationTemplate.Sample(role));

    private static async Task<JsonNode> Predict()
    {
        using var copy = new DeployCopy();
        return await BicepCompiler.Predict(copy.Folder, Canary);
    }
}
